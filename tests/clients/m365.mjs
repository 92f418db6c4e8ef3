// Reads an OpenAPI document as the parser of agents for Microsoft 365 Copilot does; prints its errors and operations.
import { ProjectType, SpecParser } from "@microsoft/m365-spec-parser";

const parser = new SpecParser(process.argv[2], { projectType: ProjectType.Copilot });
const { errors, warnings } = await parser.validate();
const { APIs: operations } = await parser.list();

console.log(
  JSON.stringify({
    problems: [...errors, ...warnings],
    operations: operations.filter((operation) => operation.isValid).map((operation) => operation.operationId),
  }),
);
