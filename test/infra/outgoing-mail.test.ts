import { App, Stack } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it } from 'vitest';
import { queues } from '#shared/queues/queues.ts';
import { kinds, type Use } from '#shared/uses/kinds.ts';
import { deploymentOf } from '../../infra/aws/deployment.ts';
import { namesOf } from '../../infra/aws/names.ts';
import { variablesFor } from '../../infra/aws/operation.ts';
import { grantsFor } from '../../infra/aws/permissions.ts';
import { readStage } from '../../infra/aws/stage.ts';
import { Misuse } from '../../infra/cli/options.ts';

/** How a deployment sends mail, and what its worker may do. */

const settings = (context: Record<string, string>) => readStage((name) => context[name]).mail;

describe('cdk -c', () => {
  it.each([
    [{}, { provider: 'none', from: undefined, smtp_url_secret: undefined }],
    [{ mailFrom: 'a@b.example' }, { provider: 'ses', from: 'a@b.example', smtp_url_secret: undefined }],
    [
      { mailFrom: 'Acme <a@b.example>', mailSmtpUrlSecret: 'mail/smtp' },
      { provider: 'smtp', from: 'Acme <a@b.example>', smtp_url_secret: 'mail/smtp' },
    ],
  ])('%j', (context, wanted) => {
    expect(settings(context as Record<string, string>)).toEqual(wanted);
  });

  it.each([
    [{ mailFrom: 'Acme' }, /must be an address.*mailFrom/],
    [{ mailFrom: 'a@b.example, c@d.example' }, /must be an address/],
    [{ mailSmtpUrlSecret: 'mail/smtp' }, /needs MAIL_FROM/],
  ])('%j is refused', (context: Record<string, string>, message) => {
    expect(() => settings(context)).toThrow(message);
    expect(() => settings(context)).toThrow(Misuse);
  });
});

describe('cdk -c appUrl and apiUrl', () => {
  const addresses = (context: Record<string, string>) => readStage((name) => context[name]).addresses;
  const domain = { domainName: 'api.acme.example', certificateArn: 'arn' };
  it.each([
    [{}, {}],
    [{ appUrl: 'https://app.acme.example/' }, { APP_URL: 'https://app.acme.example' }],
    [domain, { API_URL: 'https://api.acme.example' }],
    [{ ...domain, apiUrl: 'https://acme.example/api' }, { API_URL: 'https://acme.example/api' }],
  ])('%j', (context, wanted) => {
    expect(addresses(context as Record<string, string>)).toEqual(wanted);
  });

  it.each([
    [{ appUrl: 'app.acme.example' }, /-c appUrl must be an address/],
    [{ apiUrl: 'http://api.acme.example' }, /-c apiUrl must be an address/],
  ])('%j is refused', (context: Record<string, string>, message) => {
    expect(() => addresses(context)).toThrow(message);
    expect(() => addresses(context)).toThrow(Misuse);
  });
});

describe('a function', () => {
  const stack = new Stack(new App({ analyticsReporting: false }), 'Mail');
  const at = { partition: 'aws', region: 'eu-central-1', account: '111122223333' };
  const arn = ({
    service,
    resource,
    resourceName,
  }: {
    service: string;
    resource: string;
    resourceName?: string;
  }) => `arn:aws:${service}:eu-central-1:111122223333:${resource}${resourceName ? `/${resourceName}` : ''}`;
  const made = (uses: readonly Use[], context: Record<string, string>) => {
    const stage = readStage((name) => context[name]);
    const names = namesOf('dev');
    const deployment = { ...deploymentOf(stack, stage, names), ...at, arn };
    const around = { stage, names, kinds, deployment, code: () => Code.fromInline('-') };
    const grants = grantsFor(uses, 'job', around).filter(({ actions }) =>
      actions.some((each) => /^ses:/.test(each)),
    );
    return { grants, variables: stack.resolve(variablesFor(uses, 'job', around)) as Record<string, string> };
  };
  const worker = queues['send-mail'].uses;
  const ses = { mailFrom: 'Acme <no-reply@acme.example>' };
  const smtp = { ...ses, mailSmtpUrlSecret: 'mail/smtp' };

  it('that sends may send from one address, by an identity of it or of its domain', () => {
    const { grants, variables } = made(worker, ses);
    const identities = 'arn:aws:ses:eu-central-1:111122223333:identity';
    expect(grants).toEqual([
      {
        actions: ['ses:SendEmail'],
        resources: [`${identities}/no-reply@acme.example`, `${identities}/acme.example`],
        conditions: { StringEquals: { 'ses:FromAddress': 'no-reply@acme.example' } },
      },
    ]);
    expect(variables).toMatchObject({ MAIL_PROVIDER: 'ses', MAIL_FROM: ses.mailFrom });
    expect(variables).not.toHaveProperty('MAIL_SMTP_URL');
  });

  it('that sends takes the address of a server from its secret, and may not use SES', () => {
    const { grants, variables } = made(worker, smtp);
    expect(grants).toEqual([]);
    expect(variables).toMatchObject({
      MAIL_PROVIDER: 'smtp',
      MAIL_FROM: ses.mailFrom,
      MAIL_SMTP_URL: '{{resolve:secretsmanager:mail/smtp:SecretString:::}}',
    });
  });

  it('that sends knows the addresses that mail links to', () => {
    const context = { ...ses, appUrl: 'https://app.acme.example', apiUrl: 'https://api.acme.example' };
    const known = { APP_URL: context.appUrl, API_URL: context.apiUrl };
    for (const name of ['send-mail', 'mail-notifications'] as const)
      expect(made(queues[name].uses, context).variables).toMatchObject({ ...known, MAIL_PROVIDER: 'ses' });
    expect(made(['table:write', 'queue:send-mail'], context).variables).not.toHaveProperty('APP_URL');
  });

  it('that plans mail about notifications knows whether there is any', () => {
    const { variables } = made(queues['push-notifications'].uses, {});
    expect(variables.MAIL_PROVIDER).toBe('none');
  });

  it('that sends has the secret of codes', () => {
    expect(made(worker, ses).variables.CURSOR_KEYS).toBe(
      '{{resolve:secretsmanager:WorkspaceApi/dev/cursor-keys:SecretString:::}}',
    );
  });

  it('that asks for mail knows whether there is any, and no more', () => {
    for (const [context, provider] of [
      [{}, 'none'],
      [ses, 'ses'],
      [smtp, 'smtp'],
    ] as const) {
      const { grants, variables } = made(['table:write', 'queue:send-mail'], context);
      expect(grants).toEqual([]);
      expect(Object.keys(variables).filter((name) => /MAIL|CURSOR/.test(name))).toEqual(['MAIL_PROVIDER']);
      expect(variables.MAIL_PROVIDER).toBe(provider);
    }
    expect(made(['table:write'], smtp).variables).not.toHaveProperty('MAIL_PROVIDER');
  });
});
