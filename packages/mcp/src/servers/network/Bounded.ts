/** Returns the response with a body that fails with `tooLarge` beyond the limit, in bytes. */
export const body = (response: Response, limit: number, tooLarge: () => Error): Response => {
  if (response.body === null) return response;
  let count = 0;
  const bounded = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        count += chunk.length;
        if (count > limit) controller.error(tooLarge());
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(bounded, { status, statusText, headers });
};
