// @ts-check
// The page of the server.
import { served } from "./api.js";
import { start } from "./app.js";

const root = document.getElementById("credenet");
if (root) start(root, served());
