/** Maps the items in order, with a limit of concurrent calls. */
export async function mapAtOnce<T, R>(
  items: readonly T[],
  at_once: number,
  map: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const mapped: R[] = [];
  for (let at = 0; at < items.length; at += at_once)
    mapped.push(...(await Promise.all(items.slice(at, at + at_once).map((item, i) => map(item, at + i)))));
  return mapped;
}
