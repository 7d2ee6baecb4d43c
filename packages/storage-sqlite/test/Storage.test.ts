import { StorageTest } from "@quartermaster/testing";
import { layerTransacting } from "./support/TestStorage.ts";

StorageTest.suite("SQLite", layerTransacting);
