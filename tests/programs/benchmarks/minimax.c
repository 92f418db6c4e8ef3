/* Minimax in C, for comparison: the recursion, node counter, scores and line of service/best_move/engine/minimax.py. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { FULL = 511, WIN = 100, DRAW = 0, INFINITE = 127, RUNS = 200 };

static const int lines[8] = {7, 56, 448, 73, 146, 292, 273, 84};
static uint8_t won[FULL + 1], count[FULL + 1], bit_length[FULL + 1];
static int64_t nodes, line;

static int64_t minimax(int64_t own, int64_t opponent, int64_t depth)
{
    nodes++;
    line = 0;
    int64_t marks = own | opponent;
    if (won[opponent])
        return count[marks] - WIN;
    if (marks == FULL || depth == 0)
        return DRAW;
    int64_t best = -INFINITE, best_line = 0;
    for (int64_t free = FULL & ~marks; free; free &= free - 1) {
        int64_t move = free & -free;
        int64_t score = -minimax(opponent, own | move, depth - 1);
        if (score > best) {
            best = score;
            best_line = line << 4 | bit_length[move];
        }
    }
    line = best_line;
    return best;
}

int main(void)
{
    for (int marks = 0; marks <= FULL; marks++) {
        count[marks] = (uint8_t)__builtin_popcount(marks);
        bit_length[marks] = marks ? (uint8_t)(32 - __builtin_clz(marks)) : 0;
        for (int i = 0; i < 8; i++)
            won[marks] |= (marks & lines[i]) == lines[i];
    }
    double least = 1e9;
    for (int run = 0; run < RUNS; run++) {
        struct timespec start, end;
        nodes = 0;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
        int64_t score = minimax(0, 0, 9);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
        double ms = (end.tv_sec - start.tv_sec) * 1e3 + (end.tv_nsec - start.tv_nsec) / 1e6;
        if (score == DRAW && ms < least)
            least = ms;
    }
    printf("%lld %.4f\n", (long long)nodes, least);
    return 0;
}
