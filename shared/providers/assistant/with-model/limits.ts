/**
 * What a model is given for one answer: 24,000 tokens at most, with four bytes to a token, which is a little more than
 * English text takes (https://docs.aws.amazon.com/bedrock/latest/userguide/quotas-runtime.html: a token is about six
 * characters of English).
 */
export const CONTEXT_BYTES = 96_000;

/** Of which the question, what was said before, and one result of a tool have so much at most. */
export const QUESTION_BYTES = 12_000;
export const PAST_BYTES = 12_000;
export const RESULT_BYTES = 24_000;

/** Tokens of one answer of the model. */
export const ANSWER_TOKENS = 1_500;

/** Times that the model is asked for one answer: it may use tools in all but the last. */
export const ROUNDS = 8;

/** The beginning of the text in so many bytes of UTF-8. */
export function beginning(text: string, bytes: number): string {
  const buffer = Buffer.from(text);
  if (buffer.length <= bytes) return text;
  // A character that was cut in two decodes to U+FFFD.
  return `${buffer
    .subarray(0, bytes - 3)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')}…`;
}
