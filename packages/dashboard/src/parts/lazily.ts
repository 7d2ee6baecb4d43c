import { type ComponentType, lazy, type LazyExoticComponent } from "react";

/** Makes a component whose code loads when it first renders. */
export const lazily = <Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(() => load().then((module) => ({ default: module[name] })));

/** Preloads code. Ignores failures: the component loads it again when it renders. */
export const ahead = (...loads: ReadonlyArray<() => Promise<unknown>>): void => {
  for (const load of loads) load().catch(() => {});
};
