import { MemoryStorage, StorageTest } from "@quartermaster/testing";

StorageTest.suite("memory", MemoryStorage.layer);
