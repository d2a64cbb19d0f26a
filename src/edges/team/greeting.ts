import type { AddedOrganisation } from '../../app/team/organisation.ts';

interface Trial extends AddedOrganisation {
  readonly tokenFile: string;
  /** Whether the data stays for the next trial. */
  readonly outlivesServer: boolean;
}

/** The text for a person who starts the server at a terminal. */
export function greeting(url: string, trial: Trial | undefined): string {
  const end = 'Press Ctrl-C to stop it. Each request is logged below in one line.';
  if (!trial) return `Holdfast serves ${url}. ${end}\n`;
  const { organisation, project = '', member, tokenFile, outlivesServer } = trial;
  return `Holdfast serves ${url} from a PostgreSQL of its own${outlivesServer ? '' : ', which is deleted when it ends'}.
Organisation ${organisation}, project ${project}. You are ${member}, an admin; your token is in ${tokenFile}
Open ${url} in a browser and sign in with the token, or

in a project, in another terminal:
  holdfast sync --to ${url} --as ${project} --token ${tokenFile}
  holdfast team member bo --role writer     add a member
  holdfast team token bo                    their token, for their machine

${end}
`;
}
