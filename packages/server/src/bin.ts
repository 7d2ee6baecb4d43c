import { readFileSync } from "node:fs";
import * as NodeServices from "@effect/platform-node/NodeServices";
import { NodeProcess } from "@quartermaster/cli";
import { Effect } from "effect";
import * as Program from "./program/Program.ts";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

Program.run(version).pipe(Effect.provide(NodeServices.layer), NodeProcess.runMain);
