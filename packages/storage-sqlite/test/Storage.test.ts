import { StorageTest } from "@quartermaster/testing";
import { layer } from "./support/TestStorage.ts";

StorageTest.suite("SQLite", layer);
