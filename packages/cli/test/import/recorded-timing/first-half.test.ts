import { testPages } from "./pages-as-recorded.ts";

testPages("first");
