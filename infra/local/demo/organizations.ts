import type { DemoUserKey } from './people.ts';

/** A company behind contacts: they name it. */
export interface DemoOrganization {
  name: string;
  domain: string;
  industry: string;
  /** What people took it for at first. */
  industry_before?: string;
  created_by: DemoUserKey;
  private?: true;
}

export const demoOrganizations: readonly DemoOrganization[] = [
  { name: 'Bellwether Ferries', domain: 'bellwether.example', industry: 'Ferries', created_by: 'ada' },
  { name: 'Krämer Federn GmbH', domain: 'kraemer-federn.example', industry: 'Springs', created_by: 'grace' },
  {
    name: 'Small Machines',
    domain: 'smallmachines.example',
    industry: 'Conferences',
    industry_before: 'Machines',
    created_by: 'ada',
  },
  { name: 'Ashdown Studio', domain: 'ashdown.example', industry: 'Design', created_by: 'grace' },
  { name: '星野精機株式会社', domain: 'hoshino-seiki.example', industry: 'Sensors', created_by: 'linus' },
  {
    name: 'نور للترجمة التقنية',
    domain: 'noor-translations.example',
    industry: 'Translation',
    created_by: 'ada',
  },
  {
    name: 'Plumb & Sons',
    domain: 'plumb-and-sons.example',
    industry: 'Boilers, perhaps for sale',
    created_by: 'ada',
    private: true,
  },
];
