import type { Facts, Findings, ThreadText } from '#shared/domain/assistant/answering/assistant.ts';
import { ModelFailed } from '#shared/domain/assistant/answering/failure.ts';
import type { LanguageModel } from '#shared/providers/assistant/model.ts';
import { askOnce, wishes } from './ask-once.ts';
import { DataMarks } from './data.ts';
import { beginning, RESPONSE_BYTES } from './limits.ts';
import { threadText } from './thread-text.ts';

/** A line for each fact: a form that every model follows. */
const LINE =
  /^[\s*•-]*(first_name|last_name|title|organization|phone_number|link)[\s*]*[:=][\s*]*(.+?)[\s*]*$/i;
const NOTHING = /^\W*(?:none|nothing)\b/i;
/** What models write for a fact that they do not know. */
const UNKNOWN = /^(?:none|null|unknown|n\/?a|not (?:given|stated|known|specified)|-+)\.?$/i;

export async function findFacts(
  model: LanguageModel,
  mail: ThreadText,
  instructions: string | null,
  deadline: number,
): Promise<Findings> {
  const marks = new DataMarks();
  const system = [
    'You read mail of one person and write down what it tells about this person: from the signature, above all the newest.',
    'One line for each fact, as in "title: Head of analysis". The names of facts are first_name, last_name, title, organization, phone_number and link; the last two may have several lines.',
    'Copy each value as it stands in the mail. Leave out what it does not say, and what is said of others. Answer with "none" when there is nothing.',
    marks.rule,
    ...wishes(instructions),
  ];
  const { text, usage } = await askOnce(model, system, threadText(mail, marks), deadline);
  const told = beginning(text, RESPONSE_BYTES);
  const found = told.split('\n').flatMap((line) => {
    const [, name = '', value = ''] = LINE.exec(line) ?? [];
    return name && !UNKNOWN.test(value) ? [[name.toLowerCase(), value] as const] : [];
  });
  if (found.length === 0 && !NOTHING.test(told))
    throw new ModelFailed('malformed', `${model.name}: gave no facts`);
  return { facts: factsOf(found), usage };
}

function factsOf(found: (readonly [string, string])[]): Facts {
  const all = (name: string) => found.filter(([each]) => each === name).map(([, value]) => value);
  const first = (name: string) => all(name)[0] ?? null;
  return {
    first_name: first('first_name'),
    last_name: first('last_name'),
    title: first('title'),
    organization: first('organization'),
    phone_numbers: all('phone_number'),
    links: all('link'),
  };
}
