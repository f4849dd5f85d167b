import type { Descriptions } from './descriptions.ts';

const linked = (records: string) => `The ${records} that it is linked to and that the user sees.`;

/** Uploads and files (docs/specification/records.md, "Files"). */
export const files: Descriptions = {
  File: {
    is: 'A file: uploaded, or received with mail.',
    fields: {
      user_id:
        'Who uploaded it, or the owner of a mailbox that received it; null when the user reads none of these.',
      name: 'The name to show.',
      file_name: 'The name with which it came, and under which browsers save it.',
      extension: 'What follows the last dot of that name, in lower case; null without one.',
      content_type: 'The media type, as the sender claims.',
      description: 'What it is about; null without a description.',
      size: 'How many bytes it has.',
      source: '`upload`: a user uploaded it. `attachment`: it came with mail.',
      decorative:
        'True for the logo of a signature, a tracking pixel, an image in quoted earlier messages only, and the PGP or S/MIME signature of a mail.',
      attachment_ids: 'The attachments with it, of messages that the user sees: up to 100 or so.',
      thread_ids: 'The threads of these messages.',
      contact_ids: linked('contacts'),
      organization_ids: linked('organizations'),
      deal_ids: linked('deals'),
      space_ids: linked('spaces'),
      calendar_event_id: 'The event that it is linked to; null without one that the user sees.',
      visibility:
        '`account`: every user sees the file. `linked`: who sees a record that it is linked to, or a message that has it. `private`: its user and whom it is shared with.',
      tags: 'The tags that it carries.',
      shares: 'Whom the file is shared with.',
      comments: 'The comments on it, oldest first; null in lists.',
    },
  },
  FileDraft: {
    is: 'A file to create.',
    fields: {
      upload_id: 'An upload of the key’s user, whose bytes have been sent.',
      name: 'The name to show; that of the upload when it is not sent.',
    },
  },
  FileChanges: { is: 'Changes of a file: fields that are not sent stay, and null clears.' },
  PresignedUrl: {
    is: 'A link to the bytes of a file, which works without a key until it expires.',
    fields: {
      url: 'Takes any number of GET requests until `expires_at`. It is a secret: do not store it.',
      expires_at: 'When the link stops working: after five minutes.',
      file_name: 'The name under which browsers save the file.',
      content_type:
        'As the sender claims. The URL serves raster images as such, and everything else as application/octet-stream.',
      size: 'Bytes of the file.',
    },
  },
  PresignedUrlResponse: {
    is: 'The link that was created.',
    fields: { presigned_url: 'The link, and what it leads to.' },
  },
  Upload: {
    is: 'Bytes on their way into the service: PUT them to `url`, then use the upload once.',
    fields: {
      user_id: 'Who may send the bytes and use them.',
      status:
        '`pending` until the bytes are there, then `received` until they are used; `expired` when they did not come in time.',
      file_name: 'The name of the file, with its extension.',
      content_type: 'The media type of the bytes, such as `application/mbox`.',
      size: 'How many bytes it has: up to 100 MB; 500 MB for a file of records (`text/csv`, `text/tab-separated-values`, `text/vcard`), 5 GB for an archive of mail.',
      url: 'Where to PUT the bytes; null in every response but the first.',
      method: 'How to send the bytes; null in every response but the first.',
      headers: 'The headers to send with the bytes; null in every response but the first.',
      file_id: 'The file that was made of it; null until it is used.',
      expires_at: 'Until when the bytes can be sent.',
    },
  },
  UploadDraft: {
    is: 'The file that is going to be sent.',
    fields: {
      sha256: 'The SHA-256 of the bytes in hexadecimal; when it is sent, other bytes make no file.',
    },
  },
};
