import { createContext, use } from "react";

/** Creates each store once for an input, on its first use. */
export const makeStores = <Input>(input: Input) => {
  const stores = new Map<unknown, unknown>();
  return <A>(make: (input: Input) => A): A => {
    if (!stores.has(make)) stores.set(make, make(input));
    // Only what `make` returned is stored under it.
    return stores.get(make) as A;
  };
};

/** State that the parts of one page share. `app/` provides it; a test may have several. */
export const SharedContext = createContext<(<A>(make: () => A) => A) | null>(null);

export const useShared = <A>(make: () => A): A => {
  const shared = use(SharedContext);
  if (shared === null) throw new Error("No shared state here: render inside of SharedContext.");
  return shared(make);
};
