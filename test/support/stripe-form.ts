/** Reads Stripe's forms: `items[0][price]=price_1` is an object in a list, and everything is text. */

type Branch = { [name: string]: Branch | string };

const isList = (names: string[]) => names.length > 0 && names.every((name, i) => name === String(i));

function settled(value: Branch | string): unknown {
  if (typeof value === 'string') return value;
  const entries = Object.entries(value).map(([name, each]) => [name, settled(each)] as const);
  return isList(Object.keys(value)) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
}

export function parseForm(form: string): Record<string, unknown> {
  const root: Branch = {};
  for (const [path, value] of new URLSearchParams(form)) {
    const names = path.split(/[[\]]+/).filter((name) => name !== '');
    let branch = root;
    for (const name of names.slice(0, -1)) {
      branch[name] ??= {};
      branch = branch[name] as Branch;
    }
    branch[names.at(-1) as string] = value;
  }
  return settled(root) as Record<string, unknown>;
}
