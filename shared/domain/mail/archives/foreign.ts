const TARRED = 'A .tgz cannot be read: unpack it with tar -xzf, and import the folder, or export a .zip';

/** Formats of other programs, and the way out of them. */
const FOREIGN: Record<string, string> = {
  '.tgz': TARRED,
  '.gz': TARRED,
  '.pst':
    "Outlook's .pst files cannot be read: readpst -e -o <folder> <file> (package pst-utils) makes .eml files of them",
  '.ost':
    "Outlook's .ost files cannot be read: export the mailbox as .pst first, then convert it with readpst (pst-utils)",
  '.olm':
    "Outlook for Mac's .olm files cannot be read: drag folders from Outlook to the Finder, which makes .mbox files",
  '.msg':
    "Outlook's .msg files cannot be read: msgconvert <file> (package libemail-outlook-message-perl) makes an .eml file",
};

/** What to do with a file of another program, by its name; undefined for any other. */
export const wayOutOf = (name: string): string | undefined =>
  FOREIGN[/\.\w+$/.exec(name)?.[0].toLowerCase() ?? ''];
