/**
 * The allow-list for inline CSS in mail bodies: looks, sizes and spacing, nothing that loads, moves or runs. A
 * declaration that is not fully understood is removed; the rest of the list stays.
 */
const PROPERTIES = new Set(
  (
    'color background background-color font font-family font-size font-style font-variant font-weight ' +
    'text-align text-decoration text-indent text-transform line-height letter-spacing word-spacing word-break ' +
    'white-space vertical-align direction display visibility opacity float clear width height min-width min-height max-width ' +
    'max-height margin margin-top margin-right margin-bottom margin-left padding padding-top padding-right ' +
    'padding-bottom padding-left border border-top border-right border-bottom border-left border-color ' +
    'border-style border-width border-top-color border-top-style border-top-width border-bottom-color ' +
    'border-bottom-style border-bottom-width border-left-color border-left-style border-left-width ' +
    'border-right-color border-right-style border-right-width border-radius border-collapse border-spacing ' +
    'list-style-type table-layout'
  ).split(' '),
);

const VALUE = /^[\p{L}\p{N}_#%.,+\s'"()!/-]+$/u;
const COLOR_FUNCTION = /\b(?:rgb|hsl)a?\(/gi;
// A negative length can place a piece of a mail over another or over the page around it.
const NEGATIVE = /(?:^|[\s,(])-[\d.]/;
const MAX_LENGTH = 4000;

/** The safe declarations of a style attribute as `name:value;name:value`, or an empty string. */
export function safeStyle(style: string): string {
  if (style.length > MAX_LENGTH) return '';
  const kept: string[] = [];
  for (const declaration of style.split(';')) {
    const colon = declaration.indexOf(':');
    if (colon === -1) continue;
    const property = declaration.slice(0, colon).trim().toLowerCase();
    const value = declaration.slice(colon + 1).trim();
    if (PROPERTIES.has(property) && isSafeValue(value)) kept.push(`${property}:${value}`);
  }
  return kept.join(';');
}

function isSafeValue(value: string): boolean {
  if (!VALUE.test(value) || NEGATIVE.test(value)) return false;
  if (value.replace(COLOR_FUNCTION, '').includes('(')) return false;
  return even(value, '"') && even(value, "'");
}

const even = (value: string, quote: string) => value.split(quote).length % 2 === 1;
