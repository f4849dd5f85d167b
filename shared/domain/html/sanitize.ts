import sanitize from 'sanitize-html';
import { flatten, limitMarkup, MAX_DEPTH, withoutTags } from './guard.ts';
import { ALLOWED_TAGS, type HtmlPolicy, optionsFor } from './policy.ts';

/**
 * Safe HTML under a policy (workspace-api.md Comment and Body, decisions.md section 3).
 *
 * `html`: any text; of more than 200,000 `<` and `&` only the beginning counts, and tags nested deeper than 200
 * are left out (their text stays). Returns well-formed HTML: allow-listed tags and attributes, values in double
 * quotes, links with rel. The result of sanitizing again is the same. Never throws.
 */
export function sanitizeHtml(html: string, policy: HtmlPolicy): string {
  const { html: limited } = limitMarkup(html.replaceAll('\0', '').toWellFormed());
  return (
    cleaned(limited, policy) ??
    cleaned(flatten(limited), policy) ??
    (cleaned(withoutTags(limited), policy) as string)
  );
}

class TooDeep extends Error {}

/** The sanitized text, or null when the parser saw tags nested deeper than 200. */
function cleaned(html: string, policy: HtmlPolicy): string | null {
  try {
    const first = pass(html, policy);
    // Leaving out a tag can bring two tags together that close each other; a second look settles that.
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
  return { html: clean, foreign };
}
