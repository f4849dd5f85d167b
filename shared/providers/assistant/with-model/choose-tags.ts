import type { TagChoice, ThreadText } from '#shared/domain/assistant/answering/assistant.ts';
import type { LanguageModel } from '#shared/providers/assistant/model.ts';
import { askOnce, wishes } from './ask-once.ts';
import { DataMarks, jsonOf } from './data.ts';
import { beginning, RESPONSE_BYTES } from './limits.ts';
import { threadText } from './thread-text.ts';

const MAX_TAGS = 5;

/** Tags offered to the model, and their bytes. */
const OFFERED = 500;
const OFFER_BYTES = 40_000;

interface OfferedTag {
  id: string;
  name: string;
  description: string | null;
}

/** Tags are offered by number, so the model can choose no other. */
export async function chooseTags(
  model: LanguageModel,
  thread: ThreadText,
  tags: OfferedTag[],
  instructions: string | null,
  deadline: number,
): Promise<TagChoice> {
  const marks = new DataMarks();
  const offered = tags.slice(0, OFFERED);
  const system = [
    'You choose tags for an email thread. Answer with the tags that clearly fit, best first, as in: tag-12, tag-3. Answer with "none" if none does.',
    marks.rule,
    ...wishes(instructions),
  ];
  const turn = `${offerText(offered, marks)}\n\n${threadText(thread, marks)}`;
  const { text, usage } = await askOnce(model, system, turn, deadline);
  const chosen = numbersIn(beginning(text, RESPONSE_BYTES)).flatMap(
    (number) => offered[number - 1]?.id ?? [],
  );
  return { tag_ids: [...new Set(chosen)].slice(0, MAX_TAGS), usage };
}

function offerText(offered: OfferedTag[], marks: DataMarks): string {
  // Without its key.
  const share = Math.floor(OFFER_BYTES / offered.length) - 16;
  const told = offered.map(({ name, description }, i) => [
    `tag-${i + 1}`,
    beginning(description ? `${name}: ${description}` : name, share),
  ]);
  return `The tags:\n${marks.around(jsonOf(Object.fromEntries(told)), OFFER_BYTES)}`;
}

/** The requested form, and variants that models write. Other numbers are years and quantities in surrounding text. */
const forms = [/\btag-\d+/gi, /\btags?[\s:*#]*\d+(?:(?:\s*[,;&]\s*|\s+and\s+)#?\d+)*/gi, /^[\s\d,;&.]+$/gm];

function numbersIn(text: string): number[] {
  if (/^\W*none\b/i.test(text)) return [];
  const found = forms.map((form) => text.match(form)).find((matches) => matches !== null) ?? [];
  return (found.join(' ').match(/\d+/g) ?? []).map(Number);
}
