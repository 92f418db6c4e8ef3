// The page that goes through a search step by step.

import { read, write } from "./address.js";
import { SearchView } from "./search.js";

let state = read(location.search);

const view = new SearchView((parts) => {
  state = { ...state, ...parts };
  history.replaceState(null, "", write(state));
  show();
});

const show = () => view.show(state.question, state);

show();
