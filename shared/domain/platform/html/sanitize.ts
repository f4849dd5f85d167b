import sanitize from 'sanitize-html';
import { beginningOf, markupIn } from './cut.ts';
import { flatten, limitMarkup, MAX_DEPTH, MAX_MARKUP, withoutTags } from './guard.ts';
import { ALLOWED_TAGS, type HtmlPolicy, optionsFor } from './policy.ts';

/**
 * Safe HTML under a policy (docs/specification/comments.md, "HTML"; docs/specification/mail.md, "Body").
 *
 * Returns well-formed HTML: allow-listed tags and attributes, values in double quotes, line breaks as LF, links with
 * rel. Tags nested deeper than 200 are removed (their text stays), and of markup with more than 250,000 of < > & only
 * the beginning is read. Idempotent. Never throws.
 */
export function sanitizeHtml(html: string, policy: HtmlPolicy): string {
  return sanitizeWithin(html, policy).html;
}

/** Like `sanitizeHtml`; `cut` tells whether only the beginning was read. */
export function sanitizeWithin(html: string, policy: HtmlPolicy): { html: string; cut: boolean } {
  const text = html.replaceAll('\0', '').replace(/\r\n?/g, '\n').toWellFormed();
  const limited = limitMarkup(text);
  const clean =
    cleaned(limited, policy) ??
    cleaned(flatten(limited), policy) ??
    cleaned(withoutTags(limited), policy) ??
    '';
  // Sanitizing adds end tags and entities; without this the result could exceed the limit the next time.
  const bounded = markupIn(clean) > MAX_MARKUP ? beginningOf(clean, MAX_MARKUP) : clean;
  return { html: bounded, cut: limited.length < text.length || bounded.length < clean.length };
}

class TooDeep extends Error {}

/** The sanitized text; null when the parser saw tags nested deeper than 200. */
function cleaned(html: string, policy: HtmlPolicy): string | null {
  try {
    const first = pass(html, policy);
    // Removing a tag can bring together two tags that close each other; a second pass settles that.
    return first.foreign ? pass(first.html, policy).html : first.html;
  } catch (error) {
    if (error instanceof TooDeep) return null;
    throw error;
  }
}

function pass(html: string, policy: HtmlPolicy): { html: string; foreign: boolean } {
  let depth = 0;
  let foreign = false;
  const clean = sanitize(html, {
    ...optionsFor(policy),
    onOpenTag: (name) => {
      depth++;
      if (depth > MAX_DEPTH) throw new TooDeep();
      if (!ALLOWED_TAGS[policy].has(name)) foreign = true;
    },
    onCloseTag: () => {
      depth--;
    },
  });
  return { html: withoutEmptyImages(clean), foreign };
}

const IMAGE = /<img((?: [a-z]+(?:="[^"]*")?)*) \/>/g;
const HAS_SOURCE = /^(?: [a-z]+(?:="[^"]*")?)*? src="/;

/** Removes images whose source was refused. Exact on the library's output, where values contain no double quotes. */
function withoutEmptyImages(clean: string): string {
  return clean.replace(IMAGE, (image, attributes: string) => (HAS_SOURCE.test(attributes) ? image : ''));
}
