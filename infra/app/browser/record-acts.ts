import { act } from './act.ts';
import { type Body, call } from './api.ts';
import { button, h } from './dom.ts';
import { downloadFile } from './downloads.ts';
import type { Key } from './pane.ts';

/** What a user does with a record of each kind. */

export interface Act {
  label: string;
  key: string;
  run(): Promise<boolean>;
}

type Task = Body<'retrieveTask'>['task'];
type Contact = Body<'retrieveContact'>['contact'];

const ofTask = ({ id, status }: Task): Act[] =>
  status === 'completed'
    ? [
        {
          label: 'Open again',
          key: 'e',
          run: () => act('Open again.', () => call<'reopenTask'>('DELETE', `/tasks/${id}/completion`)),
        },
      ]
    : [
        {
          label: 'Complete',
          key: 'e',
          run: () => act('Completed.', () => call<'completeTask'>('POST', `/tasks/${id}/completion`)),
        },
      ];

const ofContact = ({ id, pinned }: Contact): Act[] =>
  pinned
    ? [
        {
          label: 'Unpin',
          key: 's',
          run: () => act('Not pinned any more.', () => call<'unpinContact'>('DELETE', `/contacts/${id}/pin`)),
        },
      ]
    : [
        {
          label: 'Pin',
          key: 's',
          run: () => act('Pinned.', () => call<'pinContact'>('POST', `/contacts/${id}/pin`)),
        },
      ];

const ANSWERS = { accepted: ['Accept', 'a'], tentative: ['Maybe', 'b'], declined: ['Decline', 'x'] } as const;

const ofEvent = ({ id, response_status }: Body<'retrieveCalendarEvent'>['calendar_event']): Act[] =>
  response_status === null
    ? []
    : Object.entries(ANSWERS).map(([response, [label, key]]) => ({
        label,
        key,
        run: () =>
          act(`Answered: ${label.toLowerCase()}.`, () =>
            call<'respondToCalendarEvent'>('POST', `/calendar_events/${id}/response`, { response }),
          ),
      }));

const kinds: Record<string, (record: never) => Act[]> = {
  tasks: ofTask,
  contacts: ofContact,
  calendar_events: ofEvent,
  files: ({ id }: { id: string }) => [{ label: 'Download', key: 's', run: () => downloadFile(id) }],
};

export const actsOf = (section: string, record: unknown): Act[] => kinds[section]?.(record as never) ?? [];

export function actButtons(acts: Act[], changed: () => unknown): HTMLElement | undefined {
  if (acts.length === 0) return undefined;
  const buttons = acts.map(({ label, key, run }) =>
    button(label, async () => (await run()) && changed(), {
      'data-focus': `act ${key}`,
      title: `Key ${key}`,
    }),
  );
  return h('div', { class: 'acts', role: 'group', 'aria-label': 'What to do with it' }, ...buttons);
}

export const actKeys = (acts: Act[], changed: () => unknown): Record<string, Key> =>
  Object.fromEntries(
    acts.map(({ key, label, run }) => [
      key,
      { label: label.toLowerCase(), press: async () => (await run()) && changed() },
    ]),
  );
