import { type Body, call } from './api.ts';
import { type ProposalAction, proposalBody, refLink, resolve } from './blocks.ts';
import { detailPane, facts, type Parts } from './detail.ts';
import { part } from './dom.ts';
import { dayAndTime, short, title } from './format.ts';
import { listPane } from './list.ts';
import type { Pane } from './pane.ts';
import { type Place, placeOf } from './place.ts';
import { nextOf } from './rows.ts';

/** Changes that the assistant and agents propose, to accept or to reject. */

type Proposal = Body<'retrieveProposal'>['proposal'];

const STATUSES = {
  pending: 'Pending',
  applied: 'Applied',
  rejected: 'Rejected',
  undone: 'Undone',
  all: 'All',
};

export function proposalList(place: Place) {
  const { slice, ...query } = place.query;
  return listPane({
    title: 'Proposals',
    place,
    slices: STATUSES,
    empty: 'No proposals.',
    load: async (more) => {
      const { collection } = await call<'listProposals'>('GET', '/proposals', {
        ...query,
        status: slice ?? 'pending',
        ...more,
      });
      return {
        rows: collection.records.map(({ id, display, rationale, status, created_at }) => ({
          id,
          href: placeOf({ section: 'proposals', id, query: place.query }),
          title: display.title,
          below: [display.summary ?? rationale],
          marks: [title(status)],
          ...(created_at ? { when: short(created_at) } : {}),
        })),
        next: nextOf(collection),
      };
    },
  });
}

const KEYS: Record<ProposalAction, string> = { accept: 'a', reject: 'x', undo: 'u' };

const bodyOf = (id: string, changed: () => unknown) =>
  part<Proposal>((data) => [
    ...proposalBody(id, data, changed),
    facts([
      ['Why', data.rationale],
      ['From', data.source && refLink(data.source)],
      ['Made', data.created_at && dayAndTime(data.created_at)],
      ['Answered', data.resolved_at && dayAndTime(data.resolved_at)],
      ['Record', appliedTo(data)],
    ]),
  ]);

const appliedTo = ({ applied_record_type: type, applied_record_id: id }: Proposal) =>
  type && id ? refLink({ type, id, label: 'Show it' }) : undefined;

function partsOf(id: string, changed: () => unknown): Parts<Proposal> {
  const body = bodyOf(id, changed);
  return {
    elements: [body.element],
    show: body.show,
    keys: (data) =>
      Object.fromEntries(
        (data?.actions ?? []).map((action) => [
          KEYS[action],
          { label: `${action} it`, press: () => resolve(id, action, changed) },
        ]),
      ),
  };
}

export const proposalDetail = (id: string, changedOutside: () => unknown): Pane =>
  detailPane<Proposal>(
    {
      read: async () => (await call<'retrieveProposal'>('GET', `/proposals/${id}`)).proposal,
      titleOf: ({ display }) => display.title,
      parts: (changed) => partsOf(id, changed),
    },
    changedOutside,
  );
