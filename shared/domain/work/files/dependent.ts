import type { Dependent } from '#shared/domain/collaboration/life/dependent.ts';
import {
  type Ended,
  type Linked,
  type Links,
  linksOf,
  placeOf,
  relinkedRefs,
} from '#shared/domain/collaboration/record-lists/relink.ts';
import type { RecordKinds } from '#shared/domain/collaboration/records/kind.ts';
import { linkedAgain } from '#shared/domain/collaboration/records/link-fields.ts';
import { enqueue } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import type { File } from './file.ts';
import { linking } from './links.ts';
import { fileIndex } from './lists.ts';
import { laterRemoval, removalOfBytes } from './removal.ts';

function relinked(file: File, ended: Ended): File {
  const { from, into } = ended;
  if (from.type !== 'threads') return { ...file, links: relinkedRefs(file.links, ended) };
  const carriers = (file.carriers ?? []).flatMap((carrier) => {
    if (carrier.thread_id !== from.id) return carrier;
    return into ? { ...carrier, thread_id: into.id } : [];
  });
  return { ...file, carriers, carried: (file.carried ?? 0) + 1 };
}

export const linkedFiles = (kinds: RecordKinds): Linked<File> => ({
  index: fileIndex(kinds),
  targets: ({ links }) => links,
  relinked,
  linkOf: ({ links }, to) => placeOf(links, to),
  withLink(file, to, place) {
    const links = linkedAgain(linking, file.links, to, place as number);
    return links === file.links ? file : { ...file, links };
  },
});

/** What files are linked to, and the threads of their mails. */
export const linksOfFiles = (kinds: RecordKinds): Links => linksOf(linkedFiles(kinds));

/** The bytes of a file stay as long as it can be restored. */
export const bytesOfFiles: Dependent = {
  async *moving() {},
  async *removing({ table, clock }, { type, id }) {
    const file = type === 'files' ? await table.get<File>(keys.record('files', id)) : undefined;
    if (file?.leaves_mark) yield [enqueue(laterRemoval(file, clock()))];
    // Nobody sends this job: the next sweep does.
    else if (file) yield [enqueue({ ...removalOfBytes(file, clock()), due: clock().getTime(), sends: 0 })];
  },
};
