import { exampleError } from '#shared/api/openapi-errors.ts';
import { type ErrorCode, errorCatalogue } from '#shared/errors.ts';
import { errorExamples } from './error-examples.ts';

/** docs/errors.md: a section for each code, with the anchor that `doc_url` names. */

const INTRODUCTION = `# Errors

A failed request returns \`{"error": {"code", "message", "fields"?, "request_id", "doc_url"}}\`. Branch on \`code\`: it never
changes and always comes with the same status. \`message\` is for people and may be reworded. \`fields\` names the bad fields,
each with its first problem: \`required\`, \`invalid_format\`, \`too_long\`, \`too_short\`, \`taken\`, \`not_allowed\` or \`invalid\`.
\`request_id\` names this request, for support; \`doc_url\` leads to a section of this page.

Do not repeat a 4xx unchanged, except 429 (wait \`Retry-After\` seconds) and 400 \`invalid_cursor\` (start from the first page).
Repeat a 5xx later, with growing waits. Every response has an \`X-Request-Id\`.

This page is generated from \`shared/errors.ts\` by \`npm run openapi\`.
`;

/** The body of the response to the example of a code. */
export function exampleResponse(code: ErrorCode) {
  const { error } = exampleError(code).value;
  return { error: { ...error, message: errorExamples[code].message ?? error.message } };
}

function exampleOf(code: ErrorCode): string {
  const { request, body, when } = errorExamples[code];
  const sent = [`\`${request}\``, ...(body ? [`with \`${body}\``] : [])].join(' ');
  const response = JSON.stringify(exampleResponse(code), null, 2);
  return `**Example:** ${[sent, ...(when ? [when] : [])].join(', ')}\n\n\`\`\`json\n${response}\n\`\`\`\n`;
}

/** Sorted by status. */
export function errorPage(): string {
  const codes = (Object.keys(errorCatalogue) as ErrorCode[]).sort(
    (a, b) => errorCatalogue[a].status - errorCatalogue[b].status,
  );
  const sections = codes.map((code) => {
    const { status, message, fix } = errorCatalogue[code];
    const explained = `**What happened:** ${message}\n\n**How to fix it:** ${fix}`;
    return `## ${code}\n\nStatus ${status}.\n\n${explained}\n\n${exampleOf(code)}`;
  });
  return [INTRODUCTION, ...sections].join('\n');
}
