/** The variables that commands read and that the runner sets for COMMAND, with descriptions. */
export const variables = {
  QM_URL: "URL of the server",
  QM_KEY: "API key; COMMAND gets an agent's key",
  QM_AGENT_ID: "id of the agent",
  QM_RUN_ID: "id of the run that requests act for",
  QM_ISSUE_ID: "id of the run's issue; only the runner sets it",
  QM_ISSUE_FILE:
    "path of a JSON file with run, issue, comments and questions; only the runner sets it",
  QM_MCP_CONFIG: "path of an MCP client configuration for /mcp; only the runner sets it",
} as const;
