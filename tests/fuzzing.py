"""How much the generated tests generate."""

import os

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "40"))
