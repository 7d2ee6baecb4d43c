import { type ComponentType, lazy, type LazyExoticComponent } from "react";

/** A component whose code is loaded when it is first shown. */
export const lazily = <Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(() => load().then((module) => ({ default: module[name] })));

/** Loads code before it is needed. What fails is loaded again when it is. */
export const ahead = (...loads: ReadonlyArray<() => Promise<unknown>>): void => {
  for (const load of loads) load().catch(() => {});
};
