import { type Body, call } from './api.ts';
import { type ProposalAction, proposalBody, refLink, resolve } from './blocks.ts';
import { facts, heading, readInto } from './detail.ts';
import { h, part } from './dom.ts';
import { dayAndTime, short, title } from './format.ts';
import { listPane, nextOf } from './list.ts';
import type { Pane } from './pane.ts';
import { type Place, placeOf } from './place.ts';

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

export function proposalDetail(id: string, changedOutside: () => unknown): Pane {
  let proposal: Proposal | undefined;
  const name = heading('Loading ...');
  const changed = async () => {
    await refresh();
    changedOutside();
  };
  const body = part<Proposal>((data) => [
    ...proposalBody(id, data, changed),
    facts([
      ['Why', data.rationale],
      ['From', data.source && refLink(data.source)],
      ['Made', data.created_at && dayAndTime(data.created_at)],
      ['Answered', data.resolved_at && dayAndTime(data.resolved_at)],
      [
        'Record',
        data.applied_record_type &&
          refLink({ type: data.applied_record_type, id: data.applied_record_id ?? '', label: 'Show it' }),
      ],
    ]),
  ]);
  const pane: Pane = {
    element: h('div', {}, name, body.element),
    title: 'Proposal',
    refresh: () => refresh(),
    get keys() {
      const actions = proposal?.actions ?? [];
      return Object.fromEntries(
        actions.map((action) => [
          KEYS[action],
          { label: `${action} it`, press: () => resolve(id, action, changed) },
        ]),
      );
    },
  };
  const refresh = () =>
    readInto(
      async () => (await call<'retrieveProposal'>('GET', `/proposals/${id}`)).proposal,
      (read) => {
        proposal = read;
        pane.title = read.display.title;
        name.textContent = read.display.title;
        body.show(read);
      },
    );
  return pane;
}
