import { createContext, use } from "react";

/** Makes a function that creates each store on first use and returns the same one afterward. */
export const makeStores = <Input>(input: Input) => {
  const stores = new Map<unknown, unknown>();
  return <A>(make: (input: Input) => A): A => {
    if (!stores.has(make)) stores.set(make, make(input));
    // The assertion is sound: the entry under `make` is always a result of `make`.
    return stores.get(make) as A;
  };
};

/** The shared state of one page. `app/` provides it; a test may provide several. */
export const SharedContext = createContext<(<A>(make: () => A) => A) | null>(null);

export const useShared = <A>(make: () => A): A => {
  const shared = use(SharedContext);
  if (shared === null) throw new Error("No shared state here: render inside SharedContext.");
  return shared(make);
};
