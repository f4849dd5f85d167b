/** The fields among `names` that were sent, as they were sent. */
export function sentAmong<Name extends string, Sent extends { [N in Name]?: unknown }>(
  names: readonly Name[],
  sent: Sent,
) {
  return Object.fromEntries(
    names.filter((name) => sent[name] !== undefined).map((name) => [name, sent[name]]),
  ) as { [N in Name]?: Exclude<Sent[N], undefined> };
}
