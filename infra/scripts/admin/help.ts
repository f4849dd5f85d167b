import { type Command, common, type Option, type OptionTable, RUN } from './command.ts';

/** The help of `npm run admin`, from the declarations of its commands. */

function isRequired({ schema }: Option): boolean {
  return !schema.safeParse(undefined).success;
}

function lines(options: OptionTable): string {
  const rows = Object.entries(options).map(([name, option]) => {
    const typed = option.placeholder ? `--${name} ${option.placeholder}` : `--${name}`;
    return [typed, isRequired(option) ? `${option.about} (required)` : option.about] as const;
  });
  const width = Math.max(...rows.map(([typed]) => typed.length));
  return rows.map(([typed, about]) => `  ${typed.padEnd(width)}  ${about}`).join('\n');
}

export function helpOf(name: string, { summary, options }: Command): string {
  const required = Object.entries(options).filter(([, option]) => isRequired(option));
  const usage = required.map(([option, { placeholder }]) => ` --${option} ${placeholder}`).join('');
  return `${summary}\n\n  ${RUN}${name}${usage} [options]\n\n${lines(options)}\n\n${lines(common)}\n`;
}

export function overview(commands: Record<string, Command>): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const rows = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `Manages accounts, users, mailboxes and keys, here and in the cloud.

  ${RUN}<command> [options]

${rows.join('\n')}

  --help after a command shows its options. All commands have:

${lines(common)}

Secrets, and ids of what was made, are alone on stdout; everything else is on stderr. In scripts:

  KEY=$(npm run --silent admin -- issue-key --account <id> --user ada@acme.example)

A stage needs AWS credentials that may read and write its table: the usual AWS variables, or AWS_PROFILE.
`;
}
