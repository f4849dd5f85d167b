import type {
  DealSignal,
  FoundSignal,
  NewMessage,
  OpenDeal,
} from '#shared/domain/assistant/answering/assistant.ts';
import { ModelFailed } from '#shared/domain/assistant/answering/failure.ts';
import type { LanguageModel } from '#shared/providers/assistant/model.ts';
import { askOnce, wishes } from './ask-once.ts';
import { DataMarks, jsonOf } from './data.ts';
import { beginning, RESPONSE_BYTES } from './limits.ts';
import { readerAndTime } from './new-message.ts';
import { threadText } from './thread-text.ts';

/** Deals and stages are told by number, so the model can choose no other. */

const NAME_BYTES = 300;
const DEALS_BYTES = 12_000;

const NEW = /^[\s*•-]*new[\s*]*:[\s*]*(.+?)[\s*]*$/im;
const STEP = /\bdeal-(\d+)\b\D*\bstage-(\d+)\b/i;
const NOTHING = /^[^\p{L}\p{N}]*(?:none|nothing)\b/iu;

const BEGINNING = [
  'You read the last message of an email thread and say whether its writer wants to buy something from the reader or asks for an offer.',
  'Then answer with one line, as in "new: Sensors for eleven ferries | 12500 | EUR": what it is about, and, only if the message says a price, the amount and its currency.',
  'Advertising, offers that the writer makes, invoices, support and thanks are no such thing.',
];

const STEPS = [
  'You read the last message of an email thread and say whether it moves one of the open deals with its writer to a later stage.',
  'Then answer with one line, as in "deal-1: stage-2". Only for what the writer clearly asks for, agrees to or orders, not for what the reader hopes.',
];

/** Null for an answer without a number: models write "unknown", or leave it out. */
function numberIn(text: string): number | null {
  const plain = text.replaceAll(/[\s,'’](?=\d{3}\b)/g, '').trim();
  return /^\d{1,12}(?:\.\d{1,2})?$/.test(plain) ? Number(plain) : null;
}

function beginningOf(answer: string): DealSignal | null {
  const [name = '', amount = '', currency = ''] = NEW.exec(answer)?.[1]?.split('|') ?? [];
  if (name.trim() === '' || /^\s*(?:none|nothing)\.?\s*$/i.test(name)) return null;
  return { kind: 'new', name: name.trim(), amount: numberIn(amount), currency: currency.trim() || null };
}

function stepOf(answer: string, deals: OpenDeal[]): DealSignal | null {
  const [, deal, stage] = STEP.exec(answer) ?? [];
  const chosen = deals[Number(deal) - 1]?.later[Number(stage) - 1];
  return chosen ? { kind: 'step', deal: Number(deal) - 1, stage_id: chosen.id } : null;
}

function dealsText(deals: OpenDeal[], marks: DataMarks): string {
  const told = deals.map(({ name, stage, later }, i) => ({
    deal: `deal-${i + 1}`,
    name: beginning(name, NAME_BYTES),
    stage: beginning(stage, NAME_BYTES),
    later_stages: later.map((each, place) => `stage-${place + 1}: ${beginning(each.name, NAME_BYTES)}`),
  }));
  return `The open deals:\n${marks.around(jsonOf(told), DEALS_BYTES)}`;
}

export async function findDeal(
  model: LanguageModel,
  mail: NewMessage,
  deals: OpenDeal[],
  instructions: string | null,
  deadline: number,
): Promise<FoundSignal> {
  const marks = new DataMarks();
  const isNew = deals.length === 0;
  const system = [
    ...(isNew ? BEGINNING : STEPS),
    'Answer with "none" otherwise, and whenever you are in doubt.',
    readerAndTime(mail),
    marks.rule,
    ...wishes(instructions),
  ];
  const turn = `${isNew ? '' : `${dealsText(deals, marks)}\n\n`}${threadText(mail, marks)}`;
  const { text, usage } = await askOnce(model, system, turn, deadline);
  const answer = beginning(text, RESPONSE_BYTES);
  const signal = isNew ? beginningOf(answer) : stepOf(answer, deals);
  if (!signal && !NOTHING.test(answer) && !NEW.test(answer) && !STEP.test(answer))
    throw new ModelFailed('malformed', `${model.name}: gave no deal`);
  return { signal, usage };
}
