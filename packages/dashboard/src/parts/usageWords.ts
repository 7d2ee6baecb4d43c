interface Counts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costMicros: number;
  readonly requests: number;
  readonly requestsWithoutCost: number;
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const dollars = new Intl.NumberFormat("en", { style: "currency", currency: "USD" });

/** A number of tokens in short, such as `12.3K`. */
export const tokens = (count: number): string => compact.format(count);

/** The tokens of a usage, such as `12.3K in, 4K out`. */
export const tokensOf = ({ inputTokens, outputTokens }: Counts): string =>
  `${tokens(inputTokens)} in, ${tokens(outputTokens)} out`;

/** The cost in dollars, as far as it is known; null if the cost of no request is known. */
export const costOf = ({ costMicros, requests, requestsWithoutCost }: Counts): string | null => {
  if (requests === requestsWithoutCost) return null;
  const cost = costMicros > 0 && costMicros < 10_000 ? "< $0.01" : dollars.format(costMicros / 1e6);
  return requestsWithoutCost === 0
    ? cost
    : `${cost}, ${requestsWithoutCost} ${requestsWithoutCost === 1 ? "request" : "requests"} without a cost`;
};
