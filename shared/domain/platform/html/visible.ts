import sanitize from 'sanitize-html';
import { ALLOWED_TAGS } from './policy.ts';
import { htmlToText } from './text.ts';

/** The text of a mail that a person sees: hidden elements can carry instructions for machines. */

const HIDING: [property: string, hides: RegExp][] = [
  ['display', /^none\b/],
  ['visibility', /^(?:hidden|collapse)\b/],
  ['opacity', /^0(?:\.0+)?%?$/],
  // Sizes below two pixels are invisible.
  ['font-size', /^(?:0(?:\.\d+)?|1(?:\.\d+)?)(?:px|pt)?$|^0(?:\.\d+)?(?:r?em|%)$/],
  ['max-height', /^0(?:px|pt|r?em|%)?$/],
  ['height', /^0(?:px|pt|r?em|%)?$/],
  ['max-width', /^0(?:px|pt|r?em|%)?$/],
  ['width', /^0(?:px|pt|r?em|%)?$/],
  ['line-height', /^0(?:px|pt|r?em|%)?$/],
  ['color', /^transparent$/],
];

const WHITE = /^(?:#fff(?:fff)?|white|rgba?\(255,\s*255,\s*255(?:,\s*1)?\))$/;

function declarations(style: string): Map<string, string> {
  const pairs = style.split(';').map((declaration) => {
    const [property = '', ...value] = declaration.split(':');
    const plain = value.join(':').replace(/!\s*important/i, '');
    return [property.trim().toLowerCase(), plain.trim().toLowerCase()] as const;
  });
  return new Map(pairs);
}

/** White text is visible only on a background of another color, which must be on the same element. */
function isHidden(attributes: Record<string, string>): boolean {
  const style = declarations(attributes.style ?? '');
  const white = WHITE.test(style.get('color') ?? attributes.color?.toLowerCase() ?? '');
  if (white && !style.has('background') && !style.has('background-color') && !attributes.bgcolor) return true;
  return HIDING.some(([property, hides]) => hides.test(style.get(property) ?? ''));
}

/**
 * Invisible characters, such as zero-width ones and tag characters:
 * https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const SHAPELESS = /\p{Default_Ignorable_Code_Point}/gu;

export function visibleText(text: string): string {
  return text
    .replace(SHAPELESS, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** The visible text of a mail's sanitized HTML. */
function visibleTextOf(html: string): string {
  const shown = sanitize(html, {
    allowedTags: [...ALLOWED_TAGS.mail],
    allowedAttributes: false,
    parseStyleAttributes: false,
    exclusiveFilter: ({ attribs }) => isHidden(attribs),
  });
  return visibleText(htmlToText(shown));
}

/** The visible new text of a message, without quotes. */
export function visibleBody(
  body: { new_html: string | null; new_plain_text: string | null } | null | undefined,
): string {
  return body?.new_html ? visibleTextOf(body.new_html) : visibleText(body?.new_plain_text ?? '');
}
