import type { Cells } from './cells.ts';
import { inOneLine } from './one-line.ts';

/** What rows of contacts and organizations have in common. */

const PARTS = ['street', 'city', 'region', 'postal_code', 'country'] as const;

/** An address is what has the same label. */
function addressesIn(cells: Cells): object[] {
  const byLabel = new Map<string | null, Record<string, string | null>>();
  for (const part of PARTS)
    for (const { label, text } of cells.all(part))
      byLabel.set(label, { label, ...byLabel.get(label), [part]: inOneLine(text) });
  return [...byLabel.values()];
}

/** An address of the web, also when it is written without a scheme. */
export const withScheme = (url: string) => (/^[a-z][a-z\d+.-]*:/i.test(url) ? url : `https://${url}`);

export const urlIn = (cells: Cells, field: string): Record<string, string> => {
  const url = cells.one(field);
  return url === undefined ? {} : { [field]: withScheme(url) };
};

/** Lists that a row has entries for. */
const filled = (lists: Record<string, object[]>) =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));

export function detailsIn(cells: Cells): Record<string, unknown> {
  return filled({
    phone_numbers: cells.many('phone_numbers').map(({ label, text }) => ({ phone_number: text, label })),
    links: cells.many('links').map(({ label, text }) => ({ url: withScheme(text), label })),
    addresses: addressesIn(cells),
  });
}

export function keptIn(cells: Cells): Record<string, unknown> {
  const custom = cells.all('custom_fields');
  const visibility = cells.one('visibility')?.toLowerCase();
  return {
    ...cells.plain(['external_id']),
    ...(visibility === undefined ? {} : { visibility }),
    ...(custom.length === 0
      ? {}
      : { custom_fields: Object.fromEntries(custom.map(({ label, text }) => [label ?? '', text])) }),
  };
}

/** Google marks its own groups with an asterisk. */
export const tagsIn = (cells: Cells): string[] => [
  ...new Set(cells.words('tags').filter((name) => !name.startsWith('*'))),
];
