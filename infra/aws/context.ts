import { nearest } from '#shared/nearest.ts';
import type { Kinds } from '#shared/uses/kind.ts';
import { kinds } from '#shared/uses/kinds.ts';
import { Misuse } from '../cli/options.ts';

/** The settings of a deployment by `-c name=value`, or in the `context` of `cdk.json`. */

/** Those of the service itself; kinds of `uses` have theirs. */
const settings: Readonly<Record<string, string>> = {
  stage: 'prod, staging, dev, or a preview of your own: preview-<name>',
  corsOrigins: 'origins that browsers may call and upload from, separated by commas; * for all',
  terms: 'a JSON file that lists the documents that users accept',
  alarmsEmail: 'an address that gets the alarms',
  webAclArn: 'a WAF web ACL before the API',
  cursorKeysVersion: 'the version of the secret that signs cursors',
  domainName: 'a domain of your own for the API, with certificateArn',
  certificateArn: 'its certificate in AWS Certificate Manager, of the same region',
  hostedZoneId: 'the Route 53 zone that gets the record of domainName',
  apiGatewayLogRole:
    'create (default): sets the role with which API Gateway writes the logs of all APIs of this account and region; ' +
    'keep: leaves the one that is set',
  architecture: 'arm64 (default) or x86_64: of the functions',
  localEndpoints: 'true: for sam local (npm run sam), not for a deployment',
};

/** All settings, with what they are for. */
export function settingsOf(known: Kinds = kinds): Readonly<Record<string, string>> {
  return Object.assign({ ...settings }, ...Object.values(known).map((kind) => kind.settings));
}

/** CDK's own have a colon, a slash or an at sign: `aws:cdk:enable-path-metadata`, `@aws-cdk/core:...`. */
const OF_CDK = /[:/@]/;

/** Refuses settings that nothing reads, with the nearest name: a misspelt one would be silently without effect. */
export function refuseUnknown(given: readonly string[], known: Kinds = kinds): void {
  const names = Object.keys(settingsOf(known));
  for (const name of given) {
    if (OF_CDK.test(name) || names.includes(name)) continue;
    const near = nearest(name, names);
    throw new Misuse(
      `Unknown setting -c ${name}: ${near ? `did you mean ${near}?` : `it is none of ${names.join(', ')}.`}`,
    );
  }
}

/** A name that cannot be guessed by mistake: two are never the same stage, and none is taken silently. */
export function requireStage(context: Readonly<Record<string, unknown>>): void {
  if (!context.stage && context.localEndpoints !== 'true')
    throw new Misuse('Name the stage: -c stage=dev, for example.');
}
