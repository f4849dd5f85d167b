import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Kinds } from '#shared/uses/kind.ts';
import { kinds } from '#shared/uses/kinds.ts';
import { HELP, readOptions } from '../../infra/local/options.ts';

/** What `npm start` makes of a command line. */

const read = (args: string[], env: NodeJS.ProcessEnv = {}) => readOptions(args, env);

describe('the options of npm start', () => {
  it('have defaults', () => {
    expect(read([])).toEqual({
      host: '127.0.0.1',
      port: 3000,
      database_port: 0,
      bucket_port: 0,
      queue_port: 0,
      data: resolve('.local'),
      in_memory: false,
      demo: true,
      with_mail_server: false,
      watch: false,
      verbose: false,
    });
  });

  it('are read', () => {
    const ports = ['--port', '1', '--database-port', '2', '--bucket-port=3', '--queue-port', '65535'];
    const given = read([...ports, '--host', '::1', '--data', 'x', '--no-demo', '--watch', '--verbose']);
    expect(given).toMatchObject({
      host: '::1',
      port: 1,
      database_port: 2,
      bucket_port: 3,
      queue_port: 65_535,
    });
    expect(given).toMatchObject({ data: resolve('x'), demo: false, watch: true, verbose: true });
    expect(read(['--host', 'localhost', '--in-memory'])).toMatchObject({
      host: '127.0.0.1',
      in_memory: true,
    });
    expect(read(['--port', '4000', '--help'])).toBeUndefined();
  });

  it.each([
    [['--prot', '1'], "Unknown option '--prot': did you mean --port?"],
    [['--prot=1'], "Unknown option '--prot': did you mean --port?"],
    [['--nonsense'], "Unknown option '--nonsense': npm start -- --help shows them all"],
    [['--with-mailserver'], "Unknown option '--with-mailserver': did you mean --with-mail-server?"],
    [['-p', '1'], "Unknown option '-p': npm start -- --help shows them all"],
    [['--port'], "Option '--port <value>' argument missing"],
    [['--verbose=yes'], "Option '--verbose' does not take an argument"],
    [['--port', '65536'], '--port must be a number from 0 to 65535, not "65536"'],
    [['--port', '0x10'], '--port must be a number from 0 to 65535, not "0x10"'],
    [['--port', ''], '--port must be a number from 0 to 65535, not ""'],
    [['--queue-port', 'x'], '--queue-port must be a number from 0 to 65535, not "x"'],
    [['--database-port', '3000'], 'Port 3000 is given twice: each part needs a port of its own'],
    [
      ['--host', 'nowhere'],
      '--host must be an IP address of this machine, or 0.0.0.0 for all of them, not "nowhere"',
    ],
    [
      ['--watch', '--in-memory'],
      '--watch keeps the data when it starts again, --in-memory keeps nothing: choose one',
    ],
    [['4000'], 'Unexpected "4000": npm start takes options only; npm start -- --help shows them'],
  ])('%j is refused in one line', (args, line) => {
    expect(() => read(args)).toThrow(new Error(line));
  });

  /** As npm gives them to the script; its settings of every run are among them. */
  const settings = { npm_config_user_agent: 'npm', npm_config_cache: '/c', npm_config_json: 'true' };

  it.each([
    ['--port 4000', ['4000'], { npm_config_port: 'true' }, '--port 4000'],
    ['--port=4000', [], { npm_config_port: '4000' }, '--port 4000'],
    ['--prot 4000', ['4000'], { npm_config_prot: 'true' }, '--port 4000'],
    ['--no-demo', [], { npm_config_demo: '' }, '--no-demo'],
    ['--in-memory', [], { npm_config_in_memory: 'true' }, '--in-memory'],
    ['--data x --watch', ['x'], { npm_config_data: 'true', npm_config_watch: 'true' }, '--data x --watch'],
    [
      '--host 0.0.0.0 --port 1',
      ['0.0.0.0', '1'],
      { npm_config_port: 'true', npm_config_host: 'true' },
      '--port <value> --host <value>',
    ],
  ])('npm start %s, where npm takes the options, says what to type', (_typed, args, taken, meant) => {
    expect(() => read(args, { ...settings, ...taken })).toThrow(
      new Error(`npm took the options for itself: put -- before them: npm start -- ${meant}`),
    );
  });

  it("are not confused with npm's settings", () => {
    expect(
      read(['--port', '1'], { ...settings, npm_config_proxy: 'true', npm_config_yes: 'true' }),
    ).toMatchObject({
      port: 1,
    });
  });
});

describe('the help of npm start', () => {
  it('names every environment variable that a local run reads', () => {
    const names = Object.values(kinds as Kinds).flatMap(({ local = [] }) => local);
    expect(names.length).toBeGreaterThan(3);
    for (const name of [...names, 'DYNAMODB_ENDPOINT']) expect(HELP).toMatch(new RegExp(`\\n  ${name}\\s`));
  });
});
