import type { DealView } from '#shared/domain/assistant/answering/views.ts';
import { Cannot } from '#shared/providers/assistant/built-in/cannot.ts';
import { propose } from '#shared/providers/assistant/built-in/propose.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import { quote, recordLink } from '#shared/providers/assistant/built-in/say.ts';
import { fold, listed } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';
import { impossible } from './impossible.ts';

/** "Move the deal Ferries to Proposal", "mark this as won". */

async function dealNamed(name: string, workspace: Workspace): Promise<DealView> {
  const { deals } = await workspace.use('search_deals', { query: name.slice(0, 200) });
  const exact = deals.filter((deal) => fold(deal.name) === fold(name));
  const [deal, ...others] = exact.length > 0 ? exact : deals;
  if (!deal) throw new Cannot(`I found no deal for ${quote(name, 80)}.`);
  if (others.length === 0) return workspace.deal(deal.id);
  const names = [deal, ...others].slice(0, 5).map((each) => recordLink('deal', each));
  throw new Cannot(`${quote(name, 80)} fits several deals: ${listed(names)}. Which one do you mean?`);
}

async function target({ topic }: Question, workspace: Workspace): Promise<DealView | undefined> {
  if (topic !== null) return dealNamed(topic, workspace);
  const { about } = workspace.asked;
  return about?.type === 'deal' ? workspace.deal(about.id) : undefined;
}

export async function moveDeal(question: Question, workspace: Workspace): Promise<string> {
  const deal = await target(question, workspace);
  if (!deal) return impossible({ ...question, field: 'state' });
  const wanted = fold(question.value ?? '');
  const stage =
    deal.stages.find(({ name }) => fold(name) === wanted) ?? deal.stages.find(({ kind }) => kind === wanted);
  const link = recordLink('deal', deal);
  if (!stage)
    throw new Cannot(
      `${link} has no stage ${quote(question.value ?? '', 80)}; there are ${listed(deal.stages.map(({ name }) => quote(name, 60)))}.`,
    );
  if (stage.name === deal.stage) return `${link} is in the stage ${quote(stage.name, 80)} already.`;
  const params = { record_id: deal.id, stage_id: stage.id };
  return propose(workspace, 'deal.move', params, `move ${link} to ${quote(stage.name, 80)}`);
}
