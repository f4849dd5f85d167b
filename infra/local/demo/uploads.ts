import { csv, pdf } from './mail-kit/files.ts';
import type { DemoUserKey } from './people.ts';
import type { Workspace } from './workspace.ts';

export interface DemoUpload {
  file_name: string;
  heading: string;
  lines: readonly string[];
  by: DemoUserKey;
  description?: string;
  organization_name?: string;
  tag?: string;
  shared_with?: DemoUserKey;
  comment?: { author: DemoUserKey; html_content: string };
}

const contentOf = ({ file_name, heading, lines }: DemoUpload) =>
  file_name.endsWith('.csv')
    ? csv(
        file_name,
        lines.map((line) => line.split(',')),
      )
    : pdf(file_name, heading, lines);

/** Files that people upload, besides those of their mail. */
export async function addUploads(
  workspace: Workspace,
  files: readonly DemoUpload[],
  tags: ReadonlyMap<string, string>,
): Promise<void> {
  for (const file of files) {
    const { api } = workspace.user(file.by);
    const { type: content_type, content } = contentOf(file);
    const bytes = Buffer.from(content);
    const draft = { file_name: file.file_name, content_type, size: bytes.length };
    const { upload } = (await api.createUpload({ body: { upload: draft } })).body;
    await fetch(`${upload.url}`, { method: 'PUT', headers: upload.headers ?? {}, body: bytes });
    const { description = null, organization_name: name, tag, shared_with, comment } = file;
    const organization_ids = name === undefined ? [] : [workspace.organization(name)];
    const fields = { upload_id: upload.id, description, organization_ids };
    const { id } = (await api.createFile({ body: { file: fields } })).body.file;
    const params = { record_type: 'files' as const, record_id: id };
    const tag_id = tag && tags.get(tag);
    if (tag_id) await api.applyTag({ params, body: { tag_id } });
    if (shared_with) {
      const { id: user_id } = workspace.user(shared_with);
      await api.createShare({ params, body: { share: { user_id } } });
    }
    if (!comment) continue;
    const { author, html_content } = comment;
    await workspace.api(author).createComment({ params, body: { comment: { html_content } } });
  }
}
