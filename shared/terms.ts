/** The documents that users accept, which the operator names (docs/operations.md, "Terms"). */
export interface TermsDocument {
  slug: string;
  version: string;
  title: string;
  url: string;
  required: boolean;
}

/** All variables of a Lambda function have 4 kB together. */
const MAX_TEXT = 2_000;

const isLine = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 255 && !/\p{Cc}/u.test(value);

function isDocument(value: unknown): value is TermsDocument {
  const { slug, version, title, url, required } = (value ?? {}) as Partial<TermsDocument>;
  const named = isLine(slug) && /^[a-z0-9_-]{1,50}$/.test(slug) && isLine(version) && isLine(title);
  return named && isLine(url) && /^https?:\/\//.test(url) && typeof required === 'boolean';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Throws one line; `name` is where the text comes from. No text is no documents. */
export function readTerms(text: string | undefined, name: string): TermsDocument[] {
  if (!text) return [];
  const documents = parsed(text);
  if (text.length > MAX_TEXT) throw new Error(`${name} must have at most ${MAX_TEXT} characters.`);
  if (!Array.isArray(documents) || !documents.every(isDocument))
    throw new Error(
      `${name} must be a JSON list of documents, each with slug, version, title, url (http or https) and required (true or false).`,
    );
  if (new Set(documents.map(({ slug }) => slug)).size < documents.length)
    throw new Error(`${name} must have each slug once.`);
  return documents.map(({ slug, version, title, url, required }) => ({
    slug,
    version,
    title,
    url,
    required,
  }));
}
