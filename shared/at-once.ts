function* numbered<T>(items: readonly T[]): Generator<[number, T]> {
  yield* items.entries();
}

/** Maps the items in order, with a limit of concurrent calls: a slow one takes one place. After a failure none begins. */
export async function mapAtOnce<T, R>(
  items: readonly T[],
  at_once: number,
  map: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const mapped = new Array<R>(items.length);
  // All places take from one generator, which ends with the loop that fails.
  const left = numbered(items);
  const take = async () => {
    for (const [index, item] of left) mapped[index] = await map(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(at_once, items.length) }, take));
  return mapped;
}
