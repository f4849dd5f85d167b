import { asOfNow } from '#shared/context.ts';
import type { DaySection } from '#shared/domain/assistant/answering/assistant.ts';
import { ReplyDraft } from '#shared/domain/assistant/answering/draft.ts';
import type { AnsweringPorts } from '#shared/domain/assistant/answering/tools/context.ts';
import { counted } from '#shared/domain/assistant/answering/usage.ts';
import { Unanswered, type Work } from '#shared/domain/assistant/answering/work.ts';
import { type AssistantReply, refKey } from '#shared/domain/collaboration/replies/block.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { mayAsk } from '#shared/domain/identity/users/policy.ts';
import { noChange } from '#shared/domain/platform/jobs/commit.ts';
import { keyOf } from '#shared/table/keys.ts';
import type { DailyBriefing } from './briefing.ts';
import { momentOf } from './day.ts';
import { withPlainNames } from './plain-names.ts';
import { readSections, storedSections } from './sections/sections.ts';
import { findBriefing } from './store.ts';

type Ctx = CallerContext<AnsweringPorts>;

/** The context at the moment that the briefing is about, in its time zone. */
function dayContext(ctx: Ctx, { date, time_zone }: DailyBriefing): Ctx {
  const { caller } = ctx;
  const user = { ...caller.user, time_zone };
  return { ...ctx, now: momentOf({ date, time_zone }, ctx.now), caller: { ...caller, user } };
}

const withoutWords: AssistantReply = { status: 'complete', text: null, blocks: [], refs: [] };

/** The assistant is given the sections alone, which have what their reader sees. */
async function inWords(
  ctx: Ctx,
  { account_id, date }: DailyBriefing,
  sections: DaySection[],
  deadline: number,
) {
  const assistant = ctx.ports.assistantOf(ctx.config);
  const { name, time_zone } = ctx.caller.user;
  const { text } = await counted(ctx, { account_id, purpose: 'daily_briefing', assistant }, () =>
    assistant.brief({ reader: { name, time_zone }, date, sections }, deadline),
  );
  if (text.trim() === '') throw new Unanswered('malformed');
  const given = new Set(sections.flatMap(({ rows }) => rows.map(refKey)));
  return withPlainNames(
    new ReplyDraft().finish(text, (ref) => given.has(refKey(ref))),
    sections,
  );
}

/** The sections are stored first: they stay when there is no assistant, or when it fails. */
export const writeBriefing: Work = async (ctx, { user_id, reply_id, place }, deadline) => {
  if (place.kind !== 'briefing') throw new Unanswered('unknown');
  const briefing = await findBriefing(ctx.table, user_id, place.date);
  if (briefing?.reply_id !== reply_id) throw new Unanswered('hidden');
  const day = dayContext(asOfNow(ctx), briefing);
  const sections = await readSections(day);
  await ctx.table.update<DailyBriefing>(keyOf(briefing), {
    set: { sections: storedSections(sections), read_at: day.now.toISOString() },
    when: { reply_id },
  });
  const wanted = mayAsk(ctx.caller, ctx.config);
  const reply = wanted ? await inWords(day, briefing, sections, deadline) : withoutWords;
  return async () => ({ reply, ...noChange });
};
