import { parse } from 'lossless-json';

/** JSON of requests: read by the engine, and by a parser that says what is wrong once that failed. */

/** Characters of an explanation: it may quote what was sent. */
const LONGEST = 200;

function placeOf(text: string, position: number): string {
  const before = text.slice(0, position).split('\n');
  return `line ${before.length}, column ${(before.at(-1) as string).length + 1}`;
}

/** What is wrong, and where; undefined when the parser cannot tell, as for text that is nested very deeply. */
function problemOf(text: string): string | undefined {
  try {
    parse(text, undefined, { onDuplicateKey: ({ newValue }) => newValue });
  } catch (error) {
    const found = /^(.*) at position (\d+)$/s.exec(error instanceof SyntaxError ? error.message : '');
    if (!found) return undefined;
    const [, problem = '', position] = found;
    const reason = problem.slice(0, LONGEST).replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
    return `${placeOf(text, Number(position))}: ${reason}`;
  }
  return undefined;
}

/** Throws a SyntaxError that names the line and the column. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const problem = problemOf(text);
    throw new SyntaxError(`The body is not valid JSON${problem ? ` in ${problem}` : ''}.`);
  }
}
