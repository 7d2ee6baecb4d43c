import { PrivateFile } from "@quartermaster/core";
import { Effect, type PlatformError } from "effect";
import { StartError } from "../config/StartError.ts";
import * as FileReason from "./FileReason.ts";

/** Reads and writes the server's own files with secrets. A failure stops the start. */

const refused = (file: string, verb: string) =>
  Effect.mapError(
    (error: PlatformError.PlatformError) =>
      new StartError({
        message: `${file} cannot be ${verb} (${FileReason.of(error)}). Give this user access to it.`,
      }),
  );

export const read = (file: string) => refused(file, "read")(PrivateFile.read(file));

export const write = (file: string, text: string) =>
  refused(file, "written")(PrivateFile.write(file, text));

export const remove = (file: string) => refused(file, "removed")(PrivateFile.remove(file));
