import { describe, expect, it } from 'vitest';
import { type Proposal, presentProposalBlock } from '#shared/domain/assistant/proposals/proposal.ts';
import { type AssistantReply, refKey } from '#shared/domain/collaboration/replies/block.ts';
import { changeOf, cut } from '#shared/domain/collaboration/replies/display.ts';
import { presentReply } from '#shared/domain/collaboration/replies/present.ts';
import { weightOfReply } from '#shared/domain/collaboration/replies/weight.ts';
import { writableFields } from '#shared/domain/crm/contacts/contact.ts';
import { newId } from '#shared/ids.ts';

const now = new Date('2026-11-20T09:30:00Z');
const WIDE = '😀'.repeat(300);
const ESCAPED = '\u0001'.repeat(300);
/** The fields of a contact that may have control characters. */
const FREE = ['description', 'custom_fields'];

const textOf = (field: string) => (FREE.includes(field) ? ESCAPED : WIDE);

/** A proposal that changes all of a contact, and was rejected at length. */
function largestProposal(): Proposal {
  const id = newId(now);
  return {
    ...{ PK: id, SK: id, id, account_id: id, user_id: id, action_type: 'contact.update', status: 'rejected' },
    ...{ record_type: 'contact', record_id: id, applied_record_type: 'contact', applied_record_id: id },
    display: {
      title: `Change ${cut(WIDE)}`,
      summary: cut(WIDE),
      changes: writableFields.map((field) => changeOf(field, textOf(field), textOf(field))),
    },
    ...{ params: '{}', base_updated_at: null, rationale: null, tag_id: null, agent_slug: null, source: null },
    resolution_reason: '\u0001'.repeat(20_000),
    ...{ resolved_by_user_id: id, resolved_at: now.toISOString(), undo: null, version: 1 },
    ...{ created_at: now.toISOString(), updated_at: null },
  };
}

/** The text for any reader but the asker, with the longest names of records. */
function shownBytes(reply: AssistantReply, proposals: Proposal[]): number {
  const refs = [
    ...reply.refs,
    ...(reply.names ?? []).map(({ ref }) => ref),
    ...reply.blocks.flatMap((each) =>
      each.type === 'table' ? each.rows.flatMap(({ ref }) => ref ?? []) : [],
    ),
  ];
  const labels = new Map(refs.map((ref) => [refKey(ref), cut(WIDE)]));
  const blocks = new Map(proposals.map((each) => [each.id, presentProposalBlock(each, now)]));
  const shown = presentReply(reply, newId(now), { reader_id: null, labels, proposals: blocks });
  return Buffer.byteLength(JSON.stringify(shown));
}

describe('the weight of a reply', () => {
  const refs = Array.from({ length: 20 }, () => ({ type: 'thread', id: newId(now) }));
  const proposals = Array.from({ length: 10 }, largestProposal);
  const text = 'x'.repeat(100);
  const whole: AssistantReply = {
    status: 'complete',
    text,
    names: refs.map((ref, i) => ({ from: 2 * i, to: 2 * i + 1, ref })),
    refs,
    blocks: [
      { type: 'text', text },
      {
        type: 'table',
        columns: [{ key: 'a', label: 'A' }],
        rows: refs.map((ref) => ({ cells: { a: 1 }, ref })),
      },
      ...proposals.map(({ id }) => ({ type: 'proposal' as const, proposal_id: id })),
    ],
  };

  it.each([
    ['with everything', whole],
    ['with proposals alone', { ...whole, names: [], refs: [], blocks: whole.blocks.slice(2) }],
    ['with names in its text', { ...whole, refs: [], blocks: whole.blocks.slice(0, 1) }],
    ['with names in a table', { ...whole, names: [], refs: [], blocks: whole.blocks.slice(1, 2) }],
    ['with refs', { ...whole, names: [], blocks: [] }],
  ] as [string, AssistantReply][])('is at least the bytes that are shown: %s', (_, reply) => {
    const [shown, weight] = [shownBytes(reply, proposals), weightOfReply(reply)];
    expect(shown).toBeLessThanOrEqual(weight);
    expect(shown).toBeGreaterThan(weight / 2);
  });

  it('shows the beginning of a long reason, and a short one as it is', () => {
    const [long] = proposals as [Proposal];
    expect(presentProposalBlock(long, now).resolution_reason).toBe(`${'\u0001'.repeat(254)}…`);
    expect(presentProposalBlock({ ...long, resolution_reason: 'No.' }, now).resolution_reason).toBe('No.');
    expect(presentProposalBlock({ ...long, resolution_reason: null }, now).resolution_reason).toBeNull();
  });
});
