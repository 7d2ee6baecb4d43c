import { StorageTest } from "@quartermaster/testing";
import { layer, withServer } from "./support/TestStorage.ts";

withServer(() => {
  StorageTest.suite("PostgreSQL", layer);
});
