/** The size of a node, in pixels. It grows with the logarithm of the number of waiting issues. */
export const sizeOf = (waiting: number, most: number) => {
  const share = most === 0 ? 0 : Math.log2(1 + waiting) / Math.log2(1 + most);
  return { width: Math.round(180 + 90 * share), height: Math.round(46 + 44 * share) };
};
