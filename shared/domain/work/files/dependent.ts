import {
  type Ended,
  type Links,
  linksOf,
  relinkedRefs,
} from '#shared/domain/collaboration/record-lists/relink.ts';
import type { RecordKinds } from '#shared/domain/collaboration/records/kind.ts';
import type { File } from './file.ts';
import { fileIndex } from './lists.ts';

function relinked(file: File, ended: Ended): File {
  const { from, into } = ended;
  if (from.type !== 'threads') return { ...file, links: relinkedRefs(file.links, ended) };
  const carriers = (file.carriers ?? []).flatMap((carrier) => {
    if (carrier.thread_id !== from.id) return carrier;
    return into ? { ...carrier, thread_id: into.id } : [];
  });
  return { ...file, carriers, carried: (file.carried ?? 0) + 1 };
}

/** What files are linked to, and the threads of their mails. */
export const linksOfFiles = (kinds: RecordKinds): Links => linksOf(fileIndex(kinds), relinked);
