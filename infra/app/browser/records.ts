import { call } from './api.ts';
import { commentsPart, readComments } from './comments.ts';
import { detailPane, facts, type Parts, tagList } from './detail.ts';
import { h, part } from './dom.ts';
import { type ListOptions, listPane } from './list.ts';
import { mailFrame } from './mail-frame.ts';
import type { Pane } from './pane.ts';
import { type Place, placeOf, placeOfRecord } from './place.ts';
import { actButtons, actKeys, actsOf } from './record-acts.ts';
import type { RecordKind } from './record-kind.ts';
import { recordKinds } from './record-kinds.ts';
import { nextOf } from './rows.ts';

/** Lists and details of contacts, organizations, deals, tasks, files and events. */

type SectionName = keyof typeof recordKinds;

export function recordList(
  section: SectionName,
  place: Place,
): Pane & { mark(id: string | undefined): void } {
  const kind = recordKinds[section];
  const options: ListOptions = {
    title: kind.title,
    place,
    slices: kind.slices,
    search: 'query',
    load: async (more) => {
      const slice = Object.keys(kind.slices)[0];
      // The lists differ in fields, not in how they go on.
      const { collection } = await call<'listContacts'>('GET', `/${section}`, {
        slice,
        ...place.query,
        ...more,
      });
      return {
        rows: collection.records.map((record) => {
          const row = kind.row(record);
          return { ...row, href: placeOf({ section, id: row.id, query: place.query }) };
        }),
        next: nextOf(collection),
      };
    },
  };
  return listPane(options);
}

function taskList(
  tasks: { id: string; name: string; status: string }[] | null | undefined,
): HTMLElement | undefined {
  if (!tasks || tasks.length === 0) return undefined;
  const entries = tasks.map(({ id, name, status }) =>
    h('li', {}, h('a', { href: placeOfRecord('task', id) }, name), status === 'completed' && ' (completed)'),
  );
  return h('section', { 'aria-label': 'Tasks' }, h('h2', {}, 'Tasks'), h('ul', {}, ...entries));
}

function partsOf(section: SectionName, id: string, changed: () => Promise<void>): Parts<unknown> {
  const kind: RecordKind = recordKinds[section];
  const path = `/${section}/${id}`;
  const comments = kind.comments ? commentsPart(path, changed) : undefined;
  const body = part<unknown>((data) => {
    const { facts: known, text, html, tags, tasks } = kind.show(data);
    return [
      actButtons(actsOf(section, data), changed),
      tagList(tags ?? null),
      facts(known),
      text && h('div', { class: 'plain' }, text),
      html && mailFrame(html, 'Description'),
      taskList(tasks),
    ];
  });
  return {
    elements: [body.element, comments?.element],
    show: async (data) => {
      body.show({ ...(data as object), comments: null });
      const written = kind.show(data).comments ?? (comments ? await readComments(path) : undefined);
      if (written) comments?.show(written);
    },
    keys: (data) => ({
      ...(data ? actKeys(actsOf(section, data), changed) : {}),
      ...(comments ? { c: { label: 'write a comment', press: comments.focus } } : {}),
    }),
  };
}

export function recordDetail(section: SectionName, id: string, changedOutside: () => unknown): Pane {
  const { read, show } = recordKinds[section];
  const parts = (changed: () => Promise<void>) => partsOf(section, id, changed);
  return detailPane({ read: () => read(id), titleOf: (data) => show(data).name, parts }, changedOutside);
}
